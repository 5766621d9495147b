import { posix } from 'node:path'
import type { Breach } from './breach.ts'
import { type CodeFile, isTest } from './code-file.ts'
import { readTable, splitList } from './markdown-table.ts'
import { findModuleReferences, isRelative } from './module-references.ts'

/** One row of the folder table. */
export interface FolderOrder {
  /** As in the table: a layer, a folder inside one (`query/insights`), or `console`. */
  readonly name: string
  /**
   * Its folders, each importing only those to its right; `.` stands for the files beside the folders, and `*` for the
   * folders that the row does not name, none of which imports another.
   */
  readonly folders: readonly string[]
}

const HEADER = ['layer', 'order from top to bottom']
const FILES = '.'
const OTHERS = '*'

/** Reads the folder table of ARCHITECTURE.md. Throws when there is none, and on a row or a folder that is there twice. */
export function parseFolderOrders(markdown: string): readonly FolderOrder[] {
  const orders = readTable(markdown, HEADER).map(([name = '', order = '']) => ({
    name,
    folders: splitList(order),
  }))
  for (const [index, { name, folders }] of orders.entries()) {
    if (orders.findIndex((order) => order.name === name) < index)
      throw new Error(`the folders of ${name} have two rows`)
    const twice = folders.find((folder, at) => folders.indexOf(folder) < at)
    if (twice !== undefined) throw new Error(`the folders of ${name} name ${twice} twice`)
  }
  return orders
}

/** The folder of an order that a path is in; undefined outside the order's layer. */
export function folderIn({ name }: FolderOrder, path: string): string | undefined {
  const parent = rootOf(name)
  if (!path.startsWith(parent)) return undefined
  const [folder = '', ...rest] = path.slice(parent.length).split('/')
  return rest.length === 0 ? FILES : folder
}

/**
 * A folder imports only the folders below it in its row, so that none of them form a cycle. A test may build what is
 * above its subject.
 */
export function checkFolders(file: CodeFile, orders: readonly FolderOrder[]): readonly Breach[] {
  return isTest(file) ? [] : orders.flatMap((order) => checkOrder(file, order))
}

function checkOrder(file: CodeFile, order: FolderOrder): readonly Breach[] {
  const { name, folders } = order
  const own = folderIn(order, file.path)
  if (own === undefined) return []
  const rank = rankOf(order, own)
  if (rank === -1) {
    const message = `${own} is not in the row "${name}" of the folder table: ${folders.join(' ')}`
    return [{ rule: 'folder', path: file.path, line: 1, subject: own, message }]
  }
  return findModuleReferences(file).flatMap(({ specifier, line }) => {
    if (specifier === undefined || !isRelative(specifier)) return []
    const path = posix.join(posix.dirname(file.path), specifier)
    const target = folderIn(order, path)
    const targetRank = target === undefined || target === own ? Infinity : rankOf(order, target)
    if (target === undefined || targetRank > rank || targetRank === -1) return []
    const relation = targetRank === rank ? 'beside' : 'above'
    const message = `imports ${path}: ${target} is ${relation} ${own} in the order of ${name}: ${folders.join(' ')}`
    return [{ rule: 'folder', path: file.path, line, subject: target, message }]
  })
}

function rankOf({ folders }: FolderOrder, folder: string): number {
  const rank = folders.indexOf(folder)
  return rank === -1 && folder !== FILES ? folders.indexOf(OTHERS) : rank
}

function rootOf(name: string): string {
  return name.startsWith('console') ? `${name.replace('console', 'console/src')}/` : `src/${name}/`
}
