/** The bundler; `undefined` in an installation without development packages (`npm ci --omit=dev`). */
export async function findBundler(): Promise<typeof import('rolldown') | undefined> {
  try {
    return await import('rolldown')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}
