/** A tile whose question is being changed. */
export interface TilePlace {
  readonly dashboardId: string
  readonly tileId: string
}

/** The tile of an address; `undefined` where it names none. */
export function readTilePlace(query: URLSearchParams): TilePlace | undefined {
  const [dashboardId, tileId] = [query.get('dashboard'), query.get('tile')]
  return dashboardId && tileId ? { dashboardId, tileId } : undefined
}

/** The tile as an address has it. */
export function writeTilePlace({ dashboardId, tileId }: TilePlace): Record<string, string> {
  return { dashboard: dashboardId, tile: tileId }
}
