/** Tells password managers whose password the form is about. It has no name, so it is not sent. */
export const Username = ({ value }: { value: string }) => (
  <input hidden type="text" autocomplete="username" readOnly value={value} />
)
