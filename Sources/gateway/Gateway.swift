@main
enum Gateway {
    static func main() {}
}
