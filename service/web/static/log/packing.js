// A log as it is sent: packed, for it goes along with every question about it.

// By the first bytes of what is packed already.
const PACKINGS = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
];

/** A log (text, Blob or bytes) as {body, headers} of a request; `DOMException` for a file that cannot be read. */
export async function packed(log) {
  const blob = log instanceof Blob ? log : new Blob([log]);
  const start = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  const known = PACKINGS.find(([, magic]) => magic.every((byte, at) => start[at] === byte))?.[0];
  return sendable(known === undefined ? await gzipped(blob) : await copied(blob), known ?? "gzip");
}

const sendable = (body, encoding) => ({
  body,
  headers: { "content-type": "application/x-ndjson", "content-encoding": encoding },
});

const gzipped = (blob) => new Response(blob.stream().pipeThrough(new CompressionStream("gzip"))).blob();

// A file that changes on the disk is another one; what was dropped stays what it was.
const copied = async (blob) => new Blob([await blob.arrayBuffer()]);
