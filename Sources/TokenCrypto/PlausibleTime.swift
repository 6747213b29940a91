/// The times that the gateway accepts from tokens, cookies and providers.
///
/// Within this range, adding or subtracting a clock, an allowed skew or a configured duration (at most 100 years) cannot overflow.
package enum PlausibleTime {
    /// Unix milliseconds from 1970 to the end of the year 9999.
    package static let milliseconds: ClosedRange<Int64> = 0...253_402_300_799_999
}
