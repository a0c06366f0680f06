// A request before its fields are checked.
import type { Request } from 'express';
import { clientOf } from './client-address.js';
import { onRequestEnd } from './request-end.js';
import type { RequestLines } from './request-log.js';

/** The unchecked request, for guards. */
export interface RawRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** The raw bytes; empty when the route takes no body. */
  readonly body: Uint8Array;
  readonly log: RequestLines;
  /** The client's address, as reported by the trusted proxies. */
  readonly ip: string | undefined;
  /** The client that its limits count. */
  readonly client: string;
  /** The origin that the client used: `https://example.com`. */
  readonly origin: string;
  header(name: string): string | undefined;
  /** Calls the listener once, when the answer is sent or the client is gone. */
  onEnd(listener: () => void): void;
}

const NO_BYTES = new Uint8Array();

/** A class, because V8 creates a new hidden class for every object literal with a getter. */
export class ExpressRequest implements RawRequest {
  constructor(private readonly request: Request) {}

  get method(): string {
    return this.request.method;
  }

  get path(): string {
    return this.request.path;
  }

  get body(): Uint8Array {
    const body: unknown = this.request.body;
    return body instanceof Uint8Array ? body : NO_BYTES;
  }

  get log(): RequestLines {
    return this.request.log;
  }

  get ip(): string | undefined {
    return this.request.ip;
  }

  get client(): string {
    return clientOf(this.request);
  }

  get origin(): string {
    return `${this.request.protocol}://${this.request.host}`;
  }

  header(name: string): string | undefined {
    return this.request.get(name);
  }

  onEnd(listener: () => void): void {
    onRequestEnd(this.request, this.request.res, listener);
  }
}
