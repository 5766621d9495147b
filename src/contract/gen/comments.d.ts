/** Comments of proto/ by the full name of a message, field, enum or enum value, each in one line. */
export declare const COMMENTS: Readonly<Record<string, string>>
