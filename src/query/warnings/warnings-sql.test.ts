import { expect, test } from 'vitest'
import { printStatements } from '../../../test/harness/print-statements.ts'
import { asProjectId } from '../../contract/ids.ts'
import { render } from '../sql/sql.ts'
import { compileWarnings } from './warnings-sql.ts'

test('a list adds up the greatest counts of writers and hours in one project and period', () => {
  const { statement } = compileWarnings({
    projectId: asProjectId(7),
    fromMs: 1_777_629_600_000,
    dialects: ['posthog'],
    reasons: ['text_cut', "o'clock"],
  })
  expect(printStatements(render(statement))).toMatchInlineSnapshot(`
    "
    SELECT toString(dialect),
      toString(reason),
      sdk,
      sdk_version,
      toInt64(sum(counted)),
      toUnixTimestamp64Milli(min(began)),
      toUnixTimestamp64Milli(max(ended)),
      argMaxIf(example, ended, example != '')
    FROM (
      SELECT dialect,
        reason,
        sdk,
        sdk_version,
        hour,
        writer,
        max(count) AS counted,
        min(first) AS began,
        max(last) AS ended,
        max(sample) AS example
      FROM ingestion_warnings
      WHERE project = {p0:UInt32}
        AND hour >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')
        AND dialect IN {p2:Array(String)}
        AND reason IN {p3:Array(String)}
      GROUP BY dialect, reason, sdk, sdk_version, hour, writer
    )
    GROUP BY dialect, reason, sdk, sdk_version
    ORDER BY max(ended) DESC, dialect, reason, sdk, sdk_version
    LIMIT {p4:Int64}
    p0 = 7
    p1 = 1777629600000
    p2 = ["posthog"]
    p3 = ["text_cut","o'clock"]
    p4 = 1000
    "
  `)
})
