import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { propertySpellings, WELL_KNOWN_EVENTS } from './catalogue.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')

test('the catalogue has 127 kinds, each once', () => {
  const kinds = WELL_KNOWN_EVENTS.map(({ kind }) => kind)
  expect(kinds).toHaveLength(127)
  expect(new Set(kinds).size).toBe(127)
})

test('kinds and properties are named in snake_case', () => {
  const names = WELL_KNOWN_EVENTS.flatMap(({ kind, properties }) => [kind, ...Object.keys(properties)])
  expect(names.filter((name) => !/^[a-z]+(_[a-z0-9]+)*$/.test(name))).toEqual([])
})

test('no two properties of a kind share a spelling', () => {
  const clashing = WELL_KNOWN_EVENTS.filter(({ properties }) => {
    const spellings = Object.keys(properties).flatMap(propertySpellings)
    return new Set(spellings).size !== spellings.length
  })
  expect(clashing).toEqual([])
})

test.each([
  ['app_version', ['app_version', 'appVersion']],
  ['previous_plan_id', ['previous_plan_id', 'previousPlanId']],
  ['scroll_y', ['scroll_y', 'scrollY']],
  ['x', ['x']],
])('%s is spelled %j', (name, spellings) => {
  expect(propertySpellings(name)).toEqual(spellings)
})

test('bounds suit their types', () => {
  const rules = WELL_KNOWN_EVENTS.flatMap(({ properties }) => Object.values(properties))
  const isText = (type: string): boolean => type === 'string' || type === 'bool'
  const wrong = rules.filter(
    ({ type, gt, gte, lte, pattern }) =>
      (isText(type) && (gt ?? gte ?? lte) !== undefined) ||
      (type !== 'string' && pattern !== undefined) ||
      (gt !== undefined && gte !== undefined),
  )
  expect(wrong).toEqual([])
})

test('docs/typed-events.md equals the generated page', () => {
  const script = resolve(root, 'scripts', 'generate-typed-events.ts')
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toMatchObject({ status: 0 })
})
