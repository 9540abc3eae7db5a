import { connect } from 'node:net';
import { once } from 'node:events';
import { pause } from '../../../wait.ts';
import type { Attack } from '../beside.ts';

const REQUEST = 'GET /metrics HTTP/1.1\r\nHost: metrics\r\n\r\n';

/** Row 6: a client that requests the metrics again and again on one connection, and reads no answer. */
export const SCRAPES: Attack = {
  row: '6',
  title: 'one TCP connection with 100,000 pipelined GET /metrics, never read',
  async attack({ controller }, signal) {
    const { hostname, port } = new URL(await controller.metricsUrl());
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.pause();
    try {
      await once(socket, 'connect');
      socket.write(REQUEST.repeat(100_000));
      await pause(20_000, signal);
    } finally {
      socket.destroy();
    }
  },
};
