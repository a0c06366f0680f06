/** Where a logger writes: the JSON of each line is added to the list. */
export const linesInto = <Line>(lines: Line[]) => ({
  write: (line: string) => void lines.push(JSON.parse(line) as Line),
});
