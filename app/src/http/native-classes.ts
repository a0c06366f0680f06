// Express replaces the prototype of every request and response. V8 then treats these objects as dictionaries, and a request
// takes several times as long. Objects that are created with Express's prototype need no replacement.
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import type { Express } from 'express';

/** Request and response classes for the application's server. Call once for each application. */
export function nativeClasses(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(AppRequest.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppRequest.prototype as Express['request'];
  app.response = AppResponse.prototype as unknown as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}
