/** The HTTP method of a route. `any` leaves it to the target, which refuses the methods that it does not serve. */
export type RouteMethod = 'GET' | 'OPTIONS' | 'any'

/** The path of a route for every path that no other route of its method names. */
export const EVERY_PATH = '/*'

/** The path of a route for every path below a first element, which is without slashes. */
export function everyPathBelow(element: string): string {
  return `/${element}/*`
}

/** The requests that one target serves. */
export interface Route<Target> {
  readonly method: RouteMethod
  readonly path: string
  readonly target: Target
}

/** The route of the requests with this method and this path. */
export function route<Target>(method: RouteMethod, path: string, target: Target): Route<Target> {
  return { method, path, target }
}

/**
 * Finds the target of a request. A route of the method precedes one of any method, and of two with the same method the exact
 * path precedes {@link everyPathBelow}, and that {@link EVERY_PATH}: uWebSockets.js has this order too, so its native routes can come from the same list.
 */
export class Router<Target> {
  readonly #byMethod = new Map<string, Map<string, Target>>()
  readonly #rest: Target

  /** `rest` is the target of requests without a route. */
  constructor(routes: readonly Route<Target>[], rest: Target) {
    this.#rest = rest
    for (const { method, path, target } of routes) this.#targetsOf(method).set(path, target)
  }

  /** The target of a request. */
  find(method: string, path: string): Target {
    return find(this.#byMethod.get(method), path) ?? find(this.#byMethod.get('any'), path) ?? this.#rest
  }

  #targetsOf(method: RouteMethod): Map<string, Target> {
    const known = this.#byMethod.get(method) ?? new Map<string, Target>()
    this.#byMethod.set(method, known)
    return known
  }
}

function find<Target>(targets: ReadonlyMap<string, Target> | undefined, path: string): Target | undefined {
  if (!targets) return undefined
  const end = path.indexOf('/', 1)
  const below = end === -1 ? undefined : targets.get(everyPathBelow(path.slice(1, end)))
  return targets.get(path) ?? below ?? targets.get(EVERY_PATH)
}
