// `npm run generate:sdk`: writes sdk/src/generated and .env.example. With --check it writes nothing and fails on a difference.
// The service's routes import the SDK, so they are read after its files are written.
export {};

await import('./from-idls.js');
await import('./from-routes.js');
await import('./env-example.js');
