/** Something that does not hold. `code` names the check, `details` what was found and where (event, member, node). */
export class Fault extends Error {
  constructor(code, details = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** Throw a `Fault` unless `condition` is true. */
export function demand(condition, code, details) {
  if (!condition) throw new Fault(code, details);
}

/** What `work` gives; a `Fault` in it becomes one of `code` at the place that `details` name, its own as `reason`. */
export async function within(code, details, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(code, { ...details, reason: error.code, ...error.details });
  }
}
