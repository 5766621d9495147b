import { formatNumber } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { costOf } from '../rpc/query-cost.ts'

/** The cost of an answer in words; empty where it is not known. */
export function describeCost(answer: object): string {
  const cost = costOf(answer)
  if (!cost) return ''
  const { rows: count, milliseconds, source } = cost
  const seconds = formatNumber(milliseconds / 1000)
  return t(source === 'miss' ? 'insights.cost' : 'insights.costCached', { count, seconds })
}
