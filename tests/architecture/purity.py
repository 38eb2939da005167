"""What the engine may not do, as a walk over its syntax trees.

The engine must give the same bytes on every machine. So it may not reach outside (files, clock, environment,
randomness), may not use what differs between runs (``hash``, ``id``, the order of a set) and may not use floats.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

#: The standard modules that the engine may import; beside them only itself.
MODULES = frozenset(
    "__future__ base64 bisect collections dataclasses enum functools hashlib hmac itertools json lzma operator "
    "replays types typing weakref zlib".split()
)
#: Built-in names that reach outside, differ between runs, evaluate text, or make floats.
NAMES = frozenset(
    "open print input hash id eval exec compile globals locals vars breakpoint __import__ float complex".split()
)
#: Calls whose result does not depend on the order in which they are fed (without a ``key``: ties keep their order).
ORDER_FREE = frozenset("all any frozenset len max min set sorted sum".split())
#: Calls that hand on the order of what they are fed.
ORDERED = frozenset("dict enumerate filter iter list map next reduce reversed tuple zip".split())
SET_TYPES = frozenset("AbstractSet FrozenSet Set frozenset set".split())
SET_METHODS = frozenset("difference intersection symmetric_difference union".split())
SET_OPERATORS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
COMPREHENSIONS = (ast.ListComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Fault:
    """One place where the source is not pure."""

    line: int
    what: str


@dataclass
class SetNames:
    """Names and attributes that hold sets, as far as annotations and assignments tell."""

    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)

    def holds(self, node: ast.expr) -> bool:
        """Whether an expression is, to all appearances, a set."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Call(func=ast.Name(id="set" | "frozenset")):
                return True
            case ast.Call(func=ast.Attribute(attr=attr, value=value)):
                return attr in SET_METHODS and self.holds(value)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, SET_OPERATORS):
                return any(self.holds(side) or _is_keys(side) for side in (left, right))
            case ast.IfExp(body=body, orelse=orelse):
                return self.holds(body) or self.holds(orelse)
            case ast.Name(id=name):
                return name in self.names
            case ast.Attribute(attr=attr):
                return attr in self.attributes
        return False


def set_attributes(tree: ast.Module) -> set[str]:
    """The fields of this module's classes that are annotated as sets."""
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return {
        statement.target.id
        for owner in classes
        for statement in owner.body
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and _is_set_type(statement.annotation)
    }


def faults(tree: ast.Module, attributes: frozenset[str] = frozenset()) -> list[Fault]:
    """Everything in a module that the engine may not do, by line.

    ``attributes`` are the names of fields that hold sets anywhere in the engine (``set_attributes``).
    """
    found = [Fault(_line(node), what) for node in ast.walk(tree) for what in _outside(node)]
    found += _unordered(tree, SetNames(attributes=set(attributes)))
    return sorted(found, key=lambda fault: fault.line)


def _outside(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (f"imports {name.name}" for name in names if name.name.split(".")[0] not in MODULES)
        case ast.ImportFrom(module=module, level=0) if (module or "").split(".")[0] not in MODULES:
            yield f"imports {module}"
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield f"uses {name}"
        case ast.Constant(value=float() | complex() as value):
            yield f"float literal {value!r}"
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            yield "true division"


def _unordered(scope: ast.AST, outer: SetNames) -> list[Fault]:
    """Uses of a set's order in one scope and the scopes inside it."""
    known = SetNames(set(outer.names), outer.attributes)
    nodes, inner = _own_nodes(scope)
    _learn(scope, nodes, known)
    excused = {id(argument) for node in nodes for argument in _order_free_arguments(node)}
    found = [
        Fault(_line(node), "order of a set")
        for node in nodes
        if id(node) not in excused and any(known.holds(fed) for fed in _ordered_uses(node))
    ]
    return found + [fault for function in inner for fault in _unordered(function, known)]


def _own_nodes(scope: ast.AST) -> tuple[list[ast.AST], list[ast.AST]]:
    """The nodes of a scope, and the functions in it, which are scopes of their own."""
    own: list[ast.AST] = []
    functions: list[ast.AST] = []
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            functions.append(node)
            continue
        own.append(node)
        waiting.extend(ast.iter_child_nodes(node))
    return own, functions


def _learn(scope: ast.AST, nodes: list[ast.AST], known: SetNames) -> None:
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef):
        arguments = [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]
        known.names -= {argument.arg for argument in arguments}
        known.names |= {a.arg for a in arguments if a.annotation is not None and _is_set_type(a.annotation)}
    for node in sorted((n for n in nodes if isinstance(n, ast.stmt | ast.NamedExpr)), key=lambda n: n.lineno):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_set_type(annotation):
                known.names.add(name)
            case ast.NamedExpr(target=ast.Name(id=name), value=value) if known.holds(value):
                known.names.add(name)
            case ast.Assign(targets=targets, value=value) if known.holds(value):
                known.names |= {target.id for target in targets if isinstance(target, ast.Name)}


def _ordered_uses(node: ast.AST) -> list[ast.expr]:
    """The expressions whose order a node hands on."""
    match node:
        case ast.For(iter=fed) | ast.YieldFrom(value=fed) | ast.Starred(value=fed):
            return [fed]
        case ast.ListComp(generators=g) | ast.DictComp(generators=g) | ast.GeneratorExp(generators=g):
            return [generator.iter for generator in g]
        case ast.Call(func=ast.Attribute(attr="pop", value=value), args=[]):
            return [value]
        case ast.Call(func=ast.Attribute(attr="join" | "extend" | "fromkeys"), args=args):
            return list(args)
        case ast.Call(func=ast.Name(id=name), args=args) if name in ORDERED:
            return list(args)
        case ast.Call(func=ast.Name(id="sorted" | "min" | "max"), args=args, keywords=[_, *_]):
            return list(args)
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value):
            return [value]
    return []


def _order_free_arguments(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in ORDER_FREE:
            return [argument for argument in args if isinstance(argument, COMPREHENSIONS)]
    return []


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _is_keys(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys"


def _is_set_type(annotation: ast.expr) -> bool:
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in SET_TYPES
        case ast.Subscript(value=value):
            return _is_set_type(value)
        case ast.BinOp(left=left, right=right):
            return _is_set_type(left) or _is_set_type(right)
    return False
