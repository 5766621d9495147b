/** The cells of the rows below a table's header, up to the end of the table. Throws when no table has that header. */
export function readTable(markdown: string, header: readonly string[]): readonly (readonly string[])[] {
  const lines = markdown.split('\n').map(splitRow)
  const start = lines.findIndex((cells) => header.every((title, index) => cells[index] === title))
  if (start === -1) throw new Error(`no table with the columns ${header.join(', ')}`)
  const rows = lines.slice(start + 2)
  const end = rows.findIndex((cells) => cells.length === 0)
  return rows.slice(0, end === -1 ? rows.length : end)
}

/** The words of a cell, separated by spaces or commas; `-` stands for none. */
export function splitList(cell: string): readonly string[] {
  return cell === '-' ? [] : cell.split(/[\s,]+/).filter((word) => word !== '')
}

function splitRow(line: string): readonly string[] {
  if (!line.startsWith('|')) return []
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
