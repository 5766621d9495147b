/** Made by `flags-plugin.ts` when the console is built. */
declare module 'virtual:flags' {
  /** The folder of the flags, and the codes of the countries that have one, between spaces. */
  export const FLAGS: { readonly folder: string; readonly codes: string }
}
