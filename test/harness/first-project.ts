import { bootstrapProject, type FirstProject } from '../../src/control/bootstrap/first-project.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import type { Catalog } from '../../src/store/catalog/catalog.ts'

/** Creates the first project of an empty catalog, with the given keys or generated ones. */
export async function createFirstProject(
  catalog: Catalog,
  { publicKey, privateKey }: { readonly publicKey?: string; readonly privateKey?: string } = {},
): Promise<FirstProject | undefined> {
  return await bootstrapProject(catalog, systemClock, { publicKey, privateKey })
}
