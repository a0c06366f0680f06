/** Fetches the newest version of the major, or finds the one fetched before. @returns the folder of the program `node` */
export function fetchNode(major: number): string;
