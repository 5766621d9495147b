const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Formats a size with a binary unit. */
export function describeBytes(bytes: number): string {
  const unit = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const count = bytes / 1024 ** unit
  return `${unit === 0 ? count : count.toFixed(1)} ${UNITS[unit]}`
}
