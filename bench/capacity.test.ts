import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { computeCapacity, renderCapacityTable } from './capacity.ts'

const root = resolve(import.meta.dirname, '..')

test('the table of docs/scale-out.md is what the program prints', () => {
  expect(readFileSync(resolve(root, 'docs/scale-out.md'), 'utf8')).toContain(renderCapacityTable())
})

test.each([
  [1, 'edge 66.02', 'store 5.08'],
  [10, 'edge 15.47', 'store 8.98'],
  [100, 'edge 9.14', 'store 8.44'],
])('the costs at batch %i are those of the run in bench/README.md', (batch, edge, store) => {
  const readme = readFileSync(resolve(root, 'bench/README.md'), 'utf8')
  const [, processes = ''] = readme.split(`e2e/json-batch-${batch} `).slice(-1)[0]?.split('\n') ?? []
  expect(processes).toContain(edge)
  expect(processes).toContain(store)
  const source = readFileSync(resolve(root, 'bench/capacity.ts'), 'utf8')
  expect(source).toContain(`edgeMicros: ${edge.split(' ')[1]}, storeMicros: ${store.split(' ')[1]}`)
})

test('more machines take more, and no part is without a machine', () => {
  const steps = [1, 10, 100].map((nodes) => computeCapacity(nodes, 100))
  const rates = steps.map(({ eventsPerSecond }) => eventsPerSecond)
  expect(rates).toEqual([...rates].sort((one, other) => one - other))
  expect(steps.every(({ edges, stores }) => edges > 0 && stores > 0)).toBe(true)
})
