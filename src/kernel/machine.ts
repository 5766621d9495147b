import { totalmem } from 'node:os'

/** The part of Node.js's diagnostic report that this file reads. */
interface ProcessReport {
  readonly header?: { readonly glibcVersionRuntime?: string }
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
}

/** A system that names no limit, as Windows, has one that no edge reaches. */
const UNLIMITED = 1_000_000

/** Bytes of memory that this process and its children may use: of the machine, or of the container if that has fewer. */
export function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
}

/** Files and connections that this process may have open at once. Node.js raises the soft limit to the hard one at its start. */
export function openFilesMax(): number {
  const soft = Number(readReport().userLimits?.open_files?.soft)
  return Number.isFinite(soft) && soft > 0 ? soft : UNLIMITED
}

/** The version of glibc, or `undefined` with another C library (musl) or system. */
export function glibcVersion(): string | undefined {
  return process.platform === 'linux' ? readReport().header?.glibcVersionRuntime : undefined
}

function readReport(): ProcessReport {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report
  const { excludeNetwork = false } = report
  // Otherwise every open connection would be looked up in the DNS.
  report.excludeNetwork = true
  try {
    return report.getReport() as ProcessReport
  } finally {
    report.excludeNetwork = excludeNetwork
  }
}
