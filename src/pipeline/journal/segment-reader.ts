import type { Logger } from '../../kernel/log.ts'
import { runInSlices } from '../../kernel/time-slices.ts'
import type { BufferPool } from './buffer-pool.ts'
import { type JournalFiles, readStart } from './files.ts'
import type { Quarantine } from './quarantine.ts'
import { SEAL_BYTES } from './record.ts'
import { type Damage, type Scan, scanInSteps } from './scan.ts'
import type { SealedSegment } from './segment.ts'

/** What damage is set aside with. */
export interface DamageOptions {
  readonly quarantine: Quarantine
  readonly log: Logger
}

/** The bytes of a segment and what is in them. */
export interface ReadSegment {
  readonly bytes: Buffer
  readonly scan: Scan
}

/**
 * Reads a sealed segment and checks every record: years may lie between writing and reading. Rejects as the disk does.
 * Its bytes are in memory from `memory`.
 */
export async function readSegment(
  options: DamageOptions & { readonly files: JournalFiles; readonly memory: BufferPool },
  segment: SealedSegment,
): Promise<ReadSegment> {
  const file = await options.files.open(segment.path)
  const room = options.memory.take(segment.bytes)
  const bytes = await readStart(file, segment.bytes, room).finally(() => file.close())
  const found = await runInSlices(scanInSteps(bytes, segment.id))
  const scan = { ...found, damages: [...found.damages, ...findLostEnd(found, segment)] }
  await setDamageAside(options, { segment, bytes, scan })
  return { bytes, scan }
}

/** Records were here when the segment was complete; the seal alone holds no rows. */
function findLostEnd({ end, torn }: Scan, segment: SealedSegment): readonly Damage[] {
  if (segment.bytes - end <= SEAL_BYTES) return []
  return [{ offset: end, end: segment.bytes, rowCount: torn?.rowCount }]
}

/**
 * Puts the damaged ranges of a segment in quarantine; the records around them are still delivered. What is damaged is
 * lost already, so a quarantine that cannot take it holds nothing up.
 */
export async function setDamageAside(
  { quarantine, log }: DamageOptions,
  read: ReadSegment & { readonly segment: { readonly id: string; readonly path: string } },
): Promise<void> {
  const { segment, bytes, scan } = read
  for (const { offset, end, rowCount } of scan.damages) {
    const lost = { segment: segment.id, offset, rows: rowCount ?? null }
    log.error({ file: segment.path, ...lost, bytes: end - offset }, 'a part of the journal is damaged')
    const error = `bytes ${offset} to ${end} of ${segment.path} are damaged`
    const payload = bytes.subarray(offset, end)
    try {
      const isKept = await quarantine.add({ reason: 'damaged', error, ...lost, payload }, log)
      if (!isKept)
        log.error({ file: segment.path, ...lost }, 'the quarantine is full: damaged bytes are not kept')
    } catch (failure) {
      log.error({ err: failure, file: segment.path, ...lost }, 'damaged bytes could not be kept')
    }
  }
}
