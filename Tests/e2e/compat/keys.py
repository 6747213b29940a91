"""The keys of a configuration: those that a JSON schema has, and those that a file uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Key = tuple[str, str]


def _mappings(schema: dict[str, Any], node: dict[str, Any]) -> list[str]:
    """The names of the definitions that a value may be a mapping of."""
    found = [node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else []
    for other in node.get("anyOf", []):
        found += _mappings(schema, other)
    return found


def _items(node: dict[str, Any]) -> dict[str, Any]:
    """The schema of a list's items."""
    return next((other["items"] for other in [node, *node.get("anyOf", [])] if "items" in other), {})


def schema_keys(schema: dict[str, Any]) -> set[Key]:
    """Each key with the name of its mapping, which is empty at the top."""
    keys = {("", name) for name in schema["properties"]}
    for mapping, definition in schema["definitions"].items():
        keys |= {(mapping, name) for name in definition["properties"]}
    return keys


def used_keys(schema: dict[str, Any], document: Any) -> set[Key]:
    return set(_used(schema, "", document))


def _used(schema: dict[str, Any], mapping: str, document: dict[str, Any]) -> Iterator[Key]:
    properties = (schema["definitions"][mapping] if mapping else schema)["properties"]
    for name, value in document.items():
        if name not in properties:
            continue
        yield mapping, name
        node = properties[name]
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                inner = _items(node) if isinstance(value, list) else node
                candidates = _mappings(schema, inner)
                # Providers differ by their id; other values have one mapping at most.
                known = {"password": "passwordProvider", "anonymous": "anonymousProvider"}.get(str(item.get("id")), "provider")
                for candidate in [known] if known in candidates else candidates:
                    yield from _used(schema, candidate, item)
