import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import type { WebFilter } from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'

/** Whether a text meets a filter. Missing and empty are the same here, because values of filters are not empty. */
export function matchesText(text: string, { operator, value, values }: WebFilter): boolean {
  switch (operator) {
    case FilterOperator.EQUALS:
      return text === value
    case FilterOperator.NOT_EQUALS:
      return text !== value
    case FilterOperator.CONTAINS:
      return text.includes(value)
    case FilterOperator.NOT_CONTAINS:
      return !text.includes(value)
    case FilterOperator.IS_SET:
      return text !== ''
    case FilterOperator.IS_NOT_SET:
      return text === ''
    case FilterOperator.IN:
      return values.includes(text)
    case FilterOperator.NOT_IN:
      return !values.includes(text)
    default:
      throw new RangeError(`operator ${operator} does not compare texts`)
  }
}

/** Whether a text matches a pattern; `*` stands for any text. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === pattern
  if (!text.startsWith(head)) return false
  const matchesRest = (from: number, [part, ...later]: readonly string[]): boolean => {
    if (part === undefined) return false
    if (later.length === 0) return text.slice(from).endsWith(part)
    for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1)) {
      if (matchesRest(at + part.length, later)) return true
    }
    return false
  }
  return matchesRest(head.length, rest)
}
