/** Made by `world-plugin.ts` when the console is built. */
declare module 'virtual:world' {
  /** Outlines of countries by ISO code, in a box of this size; an empty code is land of no country there. */
  export const WORLD: {
    readonly width: number
    readonly height: number
    readonly countries: readonly (readonly [code: string, path: string])[]
  }
}
