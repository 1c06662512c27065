"""The official Python client: what it negotiates, lists and is told, as JSON.

    client.py http MODE URL KEY
    client.py stdio MODE COMMAND SCRIPT
"""
import asyncio, json, os, sys

from mcp import Client, StdioServerParameters


def server(kind, rest):
    if kind == "stdio":
        command, script = rest
        return StdioServerParameters(command=command, args=[script, "mcp"], env=dict(os.environ))
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    url, key = rest
    client = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"})
    return streamable_http_client(url, http_client=client)


async def main(kind, mode, *rest):
    async with Client(server(kind, rest), mode=mode) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        refused = await client.call_tool("query", {"query": {"nonsense": "x"}})
        assert refused.is_error
        empty = await client.call_tool("query", {})
        assert not empty.is_error
        print(json.dumps({
            "version": client.protocol_version,
            "tools": tools,
            "refused": refused.structured_content["type"],
            "empty": empty.structured_content["type"],
        }))


asyncio.run(main(*sys.argv[1:]))
