import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { COSTS, computeCapacity, renderCapacityTable } from './capacity.ts'

const root = resolve(import.meta.dirname, '..')

test('docs/scale-out.md has the table that the program prints', () => {
  expect(readFileSync(resolve(root, 'docs/scale-out.md'), 'utf8')).toContain(renderCapacityTable())
})

test.each([1, 10, 100] as const)('the costs at batch %i are those of the run in bench/README.md', (batch) => {
  const readme = readFileSync(resolve(root, 'bench/README.md'), 'utf8')
  const run = new RegExp(
    `^e2e/json-batch-${batch} .*\\n +edge (?<edge>\\S+) .*store (?<store>\\S+)`,
    'm',
  ).exec(readme)
  expect(COSTS[batch]).toEqual({
    edgeMicros: Number(run?.groups?.edge),
    storeMicros: Number(run?.groups?.store),
  })
})

test('more machines take more, and no part is without a machine', () => {
  const steps = [1, 10, 100].map((nodes) => computeCapacity(nodes, 100))
  const rates = steps.map(({ eventsPerSecond }) => eventsPerSecond)
  expect(rates).toEqual([...rates].sort((one, other) => one - other))
  expect(steps.every(({ edges, stores }) => edges > 0 && stores > 0)).toBe(true)
})
