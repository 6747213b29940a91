import FuzzTargets
import Glibc

/// What libFuzzer, whose `main` this program has, calls for every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let reason = chosenTarget.broken(by: Array(UnsafeBufferPointer(start: bytes, count: count))) {
        print("broken: \(reason)")
        fflush(nil)
        abort()
    }
    return 0
}
