import { expect, test } from 'vitest'
import { parseRoute, parseSharePath } from './route.ts'

const SECTIONS = ['live', 'people'] as const

test.each([
  ['/p/42/people/id%3A7', { projectId: '42', section: 'people', rest: 'id:7' }],
  ['/p/42/people/a/b', { projectId: '42', section: 'people', rest: 'a/b' }],
  ['/p/42', { projectId: '42', section: 'live', rest: '' }],
  ['/p/42/', { projectId: '42', section: 'live', rest: '' }],
  ['/p/42/unknown', { projectId: '42', section: undefined, rest: '' }],
  ['/elsewhere', { projectId: '', section: undefined, rest: '' }],
  ['/live', { projectId: '', section: undefined, rest: '' }],
  ['/p/42/people/100%', { projectId: '42', section: 'people', rest: '100%' }],
  ['/p/42/toString', { projectId: '42', section: undefined, rest: '' }],
  ['/', { projectId: '', section: 'live', rest: '' }],
  ['/sign-in', { projectId: '', section: 'live', rest: '' }],
])('the path %s names a page', (path, route) => {
  expect(parseRoute(path, SECTIONS)).toEqual(route)
})

test('a share has its own path', () => {
  const paths = ['/share/aB-3_', '/share/aB-3_/', '/embed/aB-3_', '/share/', '/share/a/b', '/p/1/share/a']
  expect(paths.map(parseSharePath)).toEqual(['aB-3_', 'aB-3_', 'aB-3_', undefined, undefined, undefined])
})
