import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A defect that keeps users out of a page. */
export interface Barrier {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly string[]
}

/** An answer that is being refreshed: it is faint, because it is old. */
const OLD = ':is(.loaded, .ui-card, .tile-body, .people-list-box)[aria-busy="true"]'

/** Waits for transitions: another colour scheme fades in, and a colour half way has another contrast. */
const SETTLE = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished)).then(() => undefined)`

/** Rules whose outcome depends on colours; the others find the same in every colour scheme. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

/** Serious or worse findings of axe-core, in light and dark mode, while no answer is being refreshed; at once on a page that shows such an answer on purpose. */
export async function findBarriers(
  page: Page,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<readonly Barrier[]> {
  if (!atOnce) await page.locator(OLD).first().waitFor({ state: 'detached' })
  const barriers: Barrier[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(SETTLE)
    // Through the debugger, which the content security policy of the page does not bind.
    await page.evaluate(`typeof axe === 'undefined' ? (() => { ${AXE} })() : undefined`)
    const options = {
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' ? { runOnly: RULES_OF_COLOR } : {}),
    }
    const found = await page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`)
    barriers.push(...(found as readonly Barrier[]))
  }
  return barriers
}
