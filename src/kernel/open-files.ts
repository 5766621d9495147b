/** The limits of this process in a report; `unlimited` where there is none. */
interface ReportedLimits {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
}

/** A system that names no limit, as Windows, has one that no edge reaches. */
const UNLIMITED = 1_000_000

/** Files and connections that this process may have open at once. Node.js raises the soft limit to the hard one at its start. */
export function openFilesMax(): number {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report
  const { excludeNetwork = false } = report
  // Otherwise every open connection would be looked up in the DNS.
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as ReportedLimits
  report.excludeNetwork = excludeNetwork
  const soft = Number(userLimits?.open_files?.soft)
  return Number.isFinite(soft) && soft > 0 ? soft : UNLIMITED
}
