import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputOf, type Site } from './site.ts'
import { renderPage } from './template.ts'

/** Where a site comes from and goes to. */
export interface SiteFolders {
  readonly root: string
  readonly output: string
}

/** Writes a site anew: whatever was in the folder goes. */
export function writeSite(site: Site, { root, output }: SiteFolders): void {
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  cpSync(join(import.meta.dirname, 'style.css'), join(output, 'style.css'))
  for (const page of site.sections.flatMap(({ pages }) => pages)) {
    const file = join(output, page.output)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, renderPage(site, page))
  }
  for (const asset of site.assets)
    cpSync(join(root, asset), join(output, outputOf(asset)), { recursive: true })
}
