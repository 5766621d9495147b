import { join } from 'node:path'
import { INSTALLATION } from '../../../kernel/installation.ts'

/** Inter for the labels of axes: digits, and the names of months. */
const FONT = join(INSTALLATION, 'assets', 'fonts', 'inter-latin-400.ttf')

/** Pixels per pixel of the layout: screens of phones have more than one. */
const SHARPNESS = 2

/**
 * Renders SVG to PNG in a thread of the pool, so that requests do not wait. The library is loaded with the first picture: most
 * processes never draw one.
 */
export async function renderPng(svg: string, width: number): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js')
  const image = await renderAsync(svg, {
    fitTo: { mode: 'width', value: width * SHARPNESS },
    font: { loadSystemFonts: false, fontFiles: [FONT], defaultFontFamily: 'Inter' },
    logLevel: 'off',
  })
  return image.asPng()
}
