import { t } from '../i18n/translate.ts'
import { unsavedWork } from '../rpc/session.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

/** The fields that the user has typed in. */
const typedIn = new WeakSet<EventTarget>()

/** Those whose form was not submitted since. */
const unsubmitted = new WeakSet<EventTarget>()

/** Follows what the user types: a page with a text waits for its user when the session ends. */
export function followTyping(): void {
  addEventListener('input', ({ target }) => {
    if (!target) return
    typedIn.add(target)
    unsubmitted.add(target)
  })
  addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement) for (const field of target.elements) unsubmitted.delete(field)
  })
  unsavedWork.add(() => hasText(document, 'input:not([type="password"]), textarea', typedIn))
}

/**
 * Whether a part of the page may go: a text of several lines that was typed in a form of it, and not submitted, needs a
 * confirmation.
 */
export function mayDrop(part: ParentNode, question: 'common.leaveUnsaved' | 'common.closeUnsaved'): boolean {
  return !hasText(part, 'form textarea', unsubmitted) || confirm(t(question))
}

function hasText(part: ParentNode, selector: string, marked: WeakSet<EventTarget>): boolean {
  return [...part.querySelectorAll<Field>(selector)].some((field) => marked.has(field) && field.value !== '')
}
