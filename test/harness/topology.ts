/** The topology of the services under test; the vitest project sets it. */
export const TOPOLOGY_VARIABLE = 'MILLRACE_TEST_TOPOLOGY'

/** Two edges and two query processes on shared stores, instead of one invocation. */
export const SCALED_OUT = 'scaled-out'

/** Settings by which a test chooses the machines itself. */
const OWN_TOPOLOGY = ['SERVICE_ROLES', 'SERVICE_CLICKHOUSE_URL', 'SERVICE_QUERY_URL']

/** Whether services are started scaled out. */
export function isScaledOut(): boolean {
  return process.env[TOPOLOGY_VARIABLE] === SCALED_OUT
}

/** Whether settings of a test place roles themselves: such an invocation is left alone. */
export function hasOwnTopology(extra: Readonly<Record<string, string>>): boolean {
  return OWN_TOPOLOGY.some((name) => name in extra)
}
