/** Draws the picture of an element again, enlarged by a factor. */
export type DrawPicture = (scale: number) => Promise<HTMLCanvasElement>

const pictures = new WeakMap<Element, DrawPicture>()

/** Lets a picture of an element be sharper than its pixels on the screen. */
export function offerPicture(element: Element, draw: DrawPicture): void {
  pictures.set(element, draw)
}

/** The function with which an element draws itself for a picture, if it has one. */
export function pictureOf(element: Element): DrawPicture | undefined {
  return pictures.get(element)
}
