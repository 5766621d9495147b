/** What the package uses of Next.js, which is too large to install for its types. */
declare module 'next/navigation.js' {
  /** `null` in the pages router, while the path is not known. */
  export function usePathname(): string | null
  export function useSearchParams(): URLSearchParams | null
}
