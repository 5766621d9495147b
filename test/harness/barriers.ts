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

type ColorScheme = 'light' | 'dark'

/** Looks that were compared, and those of them that are barriers. */
interface FoundByLook {
  readonly looks: readonly number[]
  readonly found: readonly Barrier[]
}

/** An answer that is being refreshed: it is faint, because it is old. */
const OLD = ':is(.loaded, .ui-card, .tile-body, .people-list-box)[aria-busy="true"]'

/** Waits for transitions: another colour scheme fades in, and a colour half way has another contrast. */
const SETTLE = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished)).then(() => undefined)`

/** Rules whose outcome depends on colours; the others find the same in every colour scheme. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

/** The rest of the rules whose findings are serious or worse, without experimental ones: axe-core gives each finding the impact of its rule. */
const OTHER_RULES = `axe._audit.rules.filter(({ id, impact, enabled, tags }) =>
  enabled && !tags.some((tag) => axe._audit.tagExclude.includes(tag)) && (impact === 'serious' || impact === 'critical') && !${JSON.stringify(RULES_OF_COLOR)}.includes(id)).map(({ id }) => id)`

/**
 * Elements with text or a field whose looks are not among those of `seen`. The look of an element is what its own attributes
 * and those of its ancestors give to style sheets, as a number.
 */
const FIND_NEW_LOOKS = `(seen) => {
  const OF_STYLE = /^(class|style|fill|type|role|disabled|open|hidden|data-.*|aria-(selected|checked|disabled|pressed|expanded|current|busy|invalid|hidden|sort|level))$/
  const known = new Set(seen)
  const looks = new Map()
  const lookOf = (element) => {
    if (element === null) return 0
    if (looks.has(element)) return looks.get(element)
    let look = lookOf(element.parentElement)
    const own = [...element.attributes].filter(({ name }) => OF_STYLE.test(name)).map(({ name, value }) => name + '=' + value)
    for (const character of [element.tagName, ...own.sort()].join(' ')) look = (Math.imul(look, 31) + character.codePointAt(0)) | 0
    looks.set(element, look)
    return look
  }
  const hasText = (element) => element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  const elements = [...document.body.querySelectorAll('*')].filter((element) =>
    hasText(element) && element.checkVisibility() && !known.has(lookOf(element)))
  return { elements, looks: [...new Set(elements.map(lookOf))] }
}`

/** Looks whose colours were found without a barrier, in each colour scheme. */
const goodLooks: Readonly<Record<ColorScheme, Set<number>>> = { light: new Set(), dark: new Set() }

/**
 * Serious or worse findings of axe-core, in light and dark mode, while no answer is being refreshed; at once on a page that shows such an answer on purpose.
 * Colours are compared once for each look that elements of the pages of a test file have.
 */
export async function findBarriers(
  page: Page,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<readonly Barrier[]> {
  if (!atOnce) await page.locator(OLD).first().waitFor({ state: 'detached' })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.evaluate(SETTLE)
  if (await page.evaluate(`typeof axe === 'undefined'`)) {
    // Through the debugger, which the content security policy of the page does not bind.
    await page.evaluate(`(() => { ${AXE} })()`)
  }
  const others = (await page.evaluate(runAxe('document', OTHER_RULES))) as readonly Barrier[]
  return [...others, ...(await findFaintTexts(page, 'light')), ...(await findFaintTexts(page, 'dark'))]
}

/** Texts whose colours are too close to those behind them, among those with new looks. */
async function findFaintTexts(page: Page, colorScheme: ColorScheme): Promise<readonly Barrier[]> {
  const seen = JSON.stringify([...goodLooks[colorScheme]])
  const findLooks = `(${FIND_NEW_LOOKS})(${seen})`
  if (await page.evaluate(`${findLooks}.looks.length === 0`)) return []
  await page.emulateMedia({ colorScheme })
  await page.evaluate(SETTLE)
  const run = runAxe('{ include: elements }', JSON.stringify(RULES_OF_COLOR))
  // What was there a moment ago may be gone, as a toast is.
  const script = `(async ({ elements, looks }) => ({ looks, found: elements.length === 0 ? [] : await ${run} }))(${findLooks})`
  const { looks, found } = (await page.evaluate(script)) as FoundByLook
  if (found.length === 0) for (const look of looks) goodLooks[colorScheme].add(look)
  return found
}

/** A script that runs some rules, and answers with the serious findings. */
function runAxe(context: string, rules: string): string {
  return `axe.run(${context}, { resultTypes: ['violations'], runOnly: { type: 'rule', values: ${rules} } })
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => html) })))`
}
