/**
 * A setting whose value cannot be used, as the message says after its name. For readers below the
 * settings, which cannot throw a `SettingsError`.
 */
export class WrongSetting extends Error {}
