/** Saves bytes as a file of the viewer. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Without this mark at the start, spreadsheets read UTF-8 in the encoding of the system, so that `é` is two characters. */
const BYTE_ORDER_MARK = '\uFEFF'

/** Saves CSV, in parts, as a file that spreadsheets read in any alphabet. */
export function saveCsvFile(parts: readonly string[], name: string): void {
  saveFile(new Blob([BYTE_ORDER_MARK, ...parts], { type: 'text/csv;charset=utf-8' }), name)
}
