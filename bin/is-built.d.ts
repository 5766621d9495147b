/** Whether there are bundles that are as new as every source and the versions of the packages. */
export function isBuilt(root: string): boolean
