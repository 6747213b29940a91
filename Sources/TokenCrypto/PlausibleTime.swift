/// The points in time that the gateway accepts from tokens, cookies and providers.
///
/// Inside this range, adding or subtracting a clock, an allowed skew or a configured duration (at most a hundred years) cannot overflow.
package enum PlausibleTime {
    /// Unix milliseconds from 1970 to the end of the year 9999.
    package static let milliseconds: ClosedRange<Int64> = 0...253_402_300_799_999
}
