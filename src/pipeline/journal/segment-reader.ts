import type { Logger } from '../../kernel/log.ts'
import { runInSlices } from '../../kernel/time-slices.ts'
import type { BufferPool } from './buffer-pool.ts'
import { type JournalFiles, readStart } from './files.ts'
import type { Quarantine } from './quarantine.ts'
import { SEAL_BYTES } from './record.ts'
import { type Damage, type Scan, scanInSteps } from './scan.ts'
import type { SealedSegment } from './segment.ts'

/** The quarantine and the log for damage. */
export interface DamageOptions {
  readonly quarantine: Quarantine
  readonly log: Logger
}

/** The bytes of a segment and its records. */
export interface ReadSegment {
  readonly bytes: Buffer
  readonly scan: Scan
}

/**
 * Reads a sealed segment and verifies every record: it may have been written long ago. Rejects with disk errors. The bytes
 * are in a buffer from `memory`.
 */
export async function readSegment(
  options: DamageOptions & { readonly files: JournalFiles; readonly memory: BufferPool },
  segment: SealedSegment,
): Promise<ReadSegment> {
  const file = await options.files.open(segment.path)
  const buffer = options.memory.take(segment.bytes)
  const bytes = await readStart(file, segment.bytes, buffer).finally(() => file.close())
  const found = await runInSlices(scanInSteps(bytes, segment.id))
  const scan = { ...found, damages: [...found.damages, ...findLostEnd(found, segment)] }
  await quarantineDamage(options, { segment, bytes, scan })
  return { bytes, scan }
}

/** Bytes that had records when the segment was sealed; the seal itself has no rows. */
function findLostEnd({ end, torn }: Scan, segment: SealedSegment): readonly Damage[] {
  if (segment.bytes - end <= SEAL_BYTES) return []
  return [{ offset: end, end: segment.bytes, rowCount: torn?.rowCount }]
}

/**
 * Quarantines the damaged ranges of a segment; the records around them are still delivered. Damaged rows are lost anyway, so
 * a full quarantine does not block delivery.
 */
export async function quarantineDamage(
  { quarantine, log }: DamageOptions,
  read: ReadSegment & { readonly segment: { readonly id: string; readonly path: string } },
): Promise<void> {
  const { segment, bytes, scan } = read
  for (const { offset, end, rowCount } of scan.damages) {
    const lost = { segment: segment.id, offset, rows: rowCount ?? null }
    log.error({ file: segment.path, ...lost, bytes: end - offset }, 'a range of the journal is damaged')
    const error = `bytes ${offset} to ${end} of ${segment.path} are damaged`
    const payload = bytes.subarray(offset, end)
    try {
      const isKept = await quarantine.add({ reason: 'damaged', error, ...lost, payload }, log)
      if (!isKept)
        log.error({ file: segment.path, ...lost }, 'the quarantine is full: damaged bytes are discarded')
    } catch (failure) {
      log.error({ err: failure, file: segment.path, ...lost }, 'damaged bytes could not be quarantined')
    }
  }
}
