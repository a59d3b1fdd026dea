#!/usr/bin/env python3
"""Passes connections of a loopback port on to a unix socket, for clients that know no unix sockets and no passwords.

relay.py SOCKET  prints the port it listens on and runs until it is ended."""
import asyncio
import sys


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def main(path):
    async def connect(reader, writer):
        try:
            there, back = await asyncio.open_unix_connection(path)
        except OSError:
            writer.close()
            return
        await asyncio.gather(copy(reader, back), copy(there, writer))

    server = await asyncio.start_server(connect, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main(sys.argv[1]))
