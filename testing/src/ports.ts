import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { ClusterStartError } from './errors.js';

/** Below the range that systems use for the local ports of outgoing connections. */
const FIRST_PORT = 10_000;
const LAST_PORT = 32_000;
const ATTEMPTS = 50;

/**
 * The first of `count` consecutive ports that are free for TCP and UDP. Chosen at random, so that clusters started at
 * the same time rarely choose the same ports.
 *
 * @throws ClusterStartError when no such ports are found.
 */
export async function findFreePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT - count));
    if (await areFree(first, count)) return first;
  }
  throw new ClusterStartError(`found no ${count} free consecutive ports from ${FIRST_PORT} to ${LAST_PORT}`);
}

async function areFree(first: number, count: number): Promise<boolean> {
  const ports = Array.from({ length: count }, (_, offset) => first + offset);
  const free = await Promise.all(ports.flatMap((port) => [isTcpFree(port), isUdpFree(port)]));
  return free.every(Boolean);
}

function isTcpFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function isUdpFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => socket.close(() => resolve(true)));
  });
}
