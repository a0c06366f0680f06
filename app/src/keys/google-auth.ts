// Google's library, for an import on demand. Imported on demand itself, the bundle would lack its names, because it is CommonJS.
export { GoogleAuth } from 'google-auth-library';
