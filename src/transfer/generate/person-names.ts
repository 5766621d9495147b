const FIRST_NAMES = [
  ...['Helena', 'Jonas', 'Marta', 'Luca', 'Sofie', 'Oliver', 'Emma', 'Paul', 'Nora', 'Mateo', 'Clara'],
  ...['Aiko', 'Rafael', 'Priya', 'Daniel', 'Iris', 'Tom', 'Camille', 'Anders', 'Julia', 'Kenji', 'Laura'],
  ...['Samuel', 'Beatriz', 'Arjun', 'Hannah', 'Victor', 'Mei', 'Simon', 'Alice', 'Bruno', 'Eva'],
] as const

const LAST_NAMES = [
  ...['Brandt', 'Weiss', 'Nowak', 'Ferri', 'Dahl', 'Grant', 'Vries', 'Meyer', 'Lind', 'Janssen', 'Ruiz'],
  ...[
    'Hoffmann',
    'Sato',
    'Costa',
    'Sharma',
    'Novak',
    'Okafor',
    'Laurent',
    'Berg',
    'Rossi',
    'Tanaka',
    'Fischer',
  ],
  ...[
    'Silva',
    'Patel',
    'Walker',
    'Dubois',
    'Keller',
    'Santos',
    'Wright',
    'Moreau',
    'Schmidt',
    'Lopez',
    'Bauer',
  ],
  ...['Visser', 'Iyer', 'Reed', 'Mori'],
] as const

/** The invented name of a visitor and a unique address, by their number. */
export function personOf(number: number): { readonly name: string; readonly email: string } {
  // The lists have no common factor, so that a pair returns only after all others.
  const first = FIRST_NAMES[number % FIRST_NAMES.length] ?? FIRST_NAMES[0]
  const last = LAST_NAMES[number % LAST_NAMES.length] ?? LAST_NAMES[0]
  return { name: `${first} ${last}`, email: `${first}.${last}.${number}@example.org`.toLowerCase() }
}
