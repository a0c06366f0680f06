import { buy } from './buy.mjs';

console.log(JSON.stringify(await buy(JSON.parse(process.argv[2]))));
process.exit(0);
