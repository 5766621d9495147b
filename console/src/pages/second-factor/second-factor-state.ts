import {
  SecondFactorsService,
  type SecondFactorsServiceGetResponse,
} from '@contract/millrace/account/v1/second_factors_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { clientOf } from '../../rpc/client.ts'

/** Calls the service of the account's second factor. */
export const secondFactorsClient = clientOf(SecondFactorsService)

/** The second factor of the account. */
export type SecondFactorState = SecondFactorsServiceGetResponse

/** A proof of the second factor: a code, or the response of a passkey as JSON. */
export type Proof = { readonly code: string } | { readonly passkey: string }

/** Reads the second factor of the account. */
export function useSecondFactor() {
  return useQuery(() => ({
    queryKey: ['second-factor'],
    queryFn: async () => await secondFactorsClient.get({}),
  }))
}

/** Whether the account has a second factor, of either kind. */
export function hasFactor({ hasTotp, passkeys }: SecondFactorState): boolean {
  return hasTotp || passkeys.length > 0
}
